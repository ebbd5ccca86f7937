import PinholeCrypto
import PinholeModel
import PinholeTrust

extension TLSARecord {
    /// The certificate that a full DANE-TA record (`2 0 0 …`) holds: it need not be sent; `nil` for other records.
    ///
    /// - Throws: ``PolicyFailure`` when its data are no certificate.
    func anchor() throws(PolicyFailure) -> CertificateFacts? {
        guard usage == .daneTA, selector == .certificate, matching == .full else { return nil }
        return try PolicyFailure.wrapping("the data of “2 0 0 …” are not a certificate") {
            try Certificate(der: data).facts
        }
    }
}
