/// The signed part of a certificate without its list of timestamps: the part that a log signs (RFC 6962 §3.2).
struct PrecertificateBody {
    /// The encoding of the TBSCertificate without the list.
    let encoding: [UInt8]

    /// Leaves the list of timestamps out of a certificate in DER, if there is one; `nil` if the certificate is not in
    /// DER.
    init?(of der: [UInt8]) {
        do throws(DERFailure) {
            encoding = try Self.body(der)
        } catch {
            return nil
        }
    }

    private static func body(_ der: [UInt8]) throws(DERFailure) -> [UInt8] {
        var file = DERReader(der[...])
        var outer = try file.next(DERElement.Tag.sequence).reader
        try file.finish()
        let fields = try outer.next(DERElement.Tag.sequence).elements()
        var content: [UInt8] = []
        for field in fields { content += field.tag == 0xa3 ? try withoutList(field) : Array(field.encoding) }
        return DERWriter.element(DERElement.Tag.sequence, content)
    }

    /// Encodes the extensions without the list; without any, there is no field.
    private static func withoutList(_ extensions: DERElement) throws(DERFailure) -> [UInt8] {
        var reader = extensions.reader
        let list = try reader.next(DERElement.Tag.sequence).elements()
        try reader.finish()
        var content: [UInt8] = []
        for item in list {
            var reader = item.reader
            let identifier = try reader.next(DERElement.Tag.objectIdentifier).objectID()
            if identifier != .signedTimestamps { content += item.encoding }
        }
        return content.isEmpty
            ? [] : DERWriter.element(extensions.tag, DERWriter.element(DERElement.Tag.sequence, content))
    }
}
