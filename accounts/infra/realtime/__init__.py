"""Live pages: open pages get changes over one WebSocket.

`publish` sends a frame to a group from any thread or process, `hub` passes it to the sockets of this process,
`topics` decides who may listen to what, `consumer` handles one socket.
"""
