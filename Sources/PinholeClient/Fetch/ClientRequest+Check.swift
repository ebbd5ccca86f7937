extension ClientRequest {
    /// Checks whether the request can be sent: the method is a token, and the fields are lines that agree with the
    /// body.
    ///
    /// - Throws: ``ClientFailure`` with the obstacle.
    package func check() throws(ClientFailure) {
        let writer = FetchRequestWriter(self, isProxied: false)
        _ = try writer.bytes(authorization: nil, proxyAuthorization: nil)
    }
}
