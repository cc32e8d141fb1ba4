"""Live pages: what happens on the site reaches open pages over one WebSocket.

`publish` sends a frame to a group from any thread or process, `hub` hands it to this process's sockets,
`topics` decides who may listen to what, `consumer` speaks with one socket.
"""
