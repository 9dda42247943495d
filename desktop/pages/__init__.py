"""The windows that show Status; rebuilt from it, they keep no state of their own."""
