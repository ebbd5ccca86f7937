package import PinholeTrust

extension Evidence {
    /// Takes a stapled OCSP response in DER, with the certificate timestamps in it.
    package mutating func staple(_ response: [UInt8]?) {
        stapledResponse = response
        stapledTimestamps = response.map { StapledResponse(der: $0).timestamps } ?? []
    }
}
