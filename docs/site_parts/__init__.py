"""What the site's build needs beside Sphinx: pages from docstrings, pictures, links, typeset equations."""
