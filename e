kproto: 127.0.0.1:1 cannot be reached: connection refused
