// Verifies leaves with crypto/x509 as a TLS client does.
//
// Usage: verify_leaves.go MANIFEST. Each line of the manifest has five columns, separated by tabs:
// a label, the file of the trusted root, the file of the chain, the PKCS#12 of the identity
// (unused here) and the host. One line per leaf is printed: the label, a tab, and "accepted" or
// "rejected: " with the reason.
package main

import (
	"bufio"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
)

func main() {
	manifest, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	lines := bufio.NewScanner(manifest)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if err := verify(fields[1], fields[2], fields[4]); err != nil {
			fmt.Printf("%s\trejected: %v\n", fields[0], err)
		} else {
			fmt.Printf("%s\taccepted\n", fields[0])
		}
	}
}

func verify(rootFile, chainFile, host string) error {
	roots, err := certificates(rootFile)
	if err != nil {
		return err
	}
	chain, err := certificates(chainFile)
	if err != nil {
		return err
	}
	options := x509.VerifyOptions{
		DNSName:       host,
		Roots:         x509.NewCertPool(),
		Intermediates: x509.NewCertPool(),
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if strings.Contains(host, ":") {
		options.DNSName = "[" + host + "]"
	}
	for _, root := range roots {
		options.Roots.AddCert(root)
	}
	for _, intermediate := range chain[1:] {
		options.Intermediates.AddCert(intermediate)
	}
	_, err = chain[0].Verify(options)
	return err
}

func certificates(file string) ([]*x509.Certificate, error) {
	rest, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []*x509.Certificate
	for {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		list = append(list, certificate)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no certificate in %s", file)
	}
	return list, nil
}
