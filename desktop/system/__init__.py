"""What the desktop needs of Qt's threads and of the operating system. No windows."""
