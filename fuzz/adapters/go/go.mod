module adapter

go 1.21

// Your client, here the module example.com/client in the folder above (below a go.work, build with
// GOWORK=off). One that is published needs "go get" alone.
//
// require example.com/client v0.0.0
// replace example.com/client => ../
