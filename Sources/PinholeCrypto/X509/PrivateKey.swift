import COpenSSL

/// A private key.
package struct PrivateKey: Sendable {
    let handle: PKeyHandle
}
