"""What is measured: the floors, the peers and Cloche, each serving the same tools."""
