// Serves a folder with net/http by TLS, HTTP/2 or HTTP/1.1 as the client likes: serve FOLDER CHAIN KEY prints the port.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.ServeTLS(listener, http.FileServer(http.Dir(os.Args[1])), os.Args[2], os.Args[3]))
}
