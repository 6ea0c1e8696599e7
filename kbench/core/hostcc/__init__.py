"""The pinned compiler, its cache and the sandboxed child: shared by every simulator."""
