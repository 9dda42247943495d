"""Recipes for Windows: setup by NSIS and MSI, from a bundle that Windows made, or Wine."""
