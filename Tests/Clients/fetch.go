// Loads a URL with net/http, which finds proxy and CA (SSL_CERT_FILE) in the environment, and prints
// status and SHA-256, and the version of HTTP on standard error. Go goes past the proxy for localhost and 127.0.0.1, whatever the environment says.
package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	client := http.Client{Timeout: 300 * time.Second}
	response, err := client.Get(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("status %d", response.StatusCode)
	}
	fmt.Fprintln(os.Stderr, response.Proto)
	fmt.Printf("%d %x\n", response.StatusCode, sha256.Sum256(body))
}
