"""Other libraries on the same server, each behind the same two methods; needs the group `peers`."""
