// Loads a URL with net/http and compares the pin of the leaf's key in VerifyPeerCertificate.
//
//	go build -o pinned pinned.go
//	pinhole audit -- ./pinned {url} {pin}
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{
		VerifyPeerCertificate: func(_ [][]byte, chains [][]*x509.Certificate) error {
			digest := sha256.Sum256(chains[0][0].RawSubjectPublicKeyInfo)
			if base64.StdEncoding.EncodeToString(digest[:]) != os.Args[2] {
				return errors.New("the key is not the pinned one")
			}
			return nil
		},
	}
	client := http.Client{Transport: transport}
	response, err := client.Get(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
