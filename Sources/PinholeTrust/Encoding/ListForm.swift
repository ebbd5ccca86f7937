/// The form of a revocation list (RFC 5280 §5.1), which OpenSSL does not check.
package enum ListForm {
    /// Whether a list has one signature algorithm, a version that fits its extensions, and no empty sequence of
    /// entries or of distribution points.
    package static func isValid(_ der: [UInt8]) -> Bool {
        do throws(DERFailure) {
            return try check(der)
        } catch {
            return false
        }
    }

    private static func check(_ der: [UInt8]) throws(DERFailure) -> Bool {
        var file = DERReader(der[...])
        var outer = try file.next(DERElement.Tag.sequence).reader
        try file.finish()
        var fields = try outer.next(DERElement.Tag.sequence).reader
        let outerAlgorithm = try outer.next(DERElement.Tag.sequence)
        let version = try fields.nextIfPresent(DERElement.Tag.integer)?.count()
        // §5.1.1.2 and §5.1.2.1: the version is 2 or missing.
        guard try fields.next(DERElement.Tag.sequence).encoding == outerAlgorithm.encoding,
            version == nil || version == 1
        else { return false }
        _ = try fields.next(DERElement.Tag.sequence)
        _ = try fields.next()
        var hasExtensions = false
        while !fields.isAtEnd {
            let field = try fields.next()
            if field.tag == DERElement.Tag.sequence {
                let entries = try field.elements()
                if entries.isEmpty { return false }
                for entry in entries where try entry.elements().count > 2 { hasExtensions = true }
            } else if field.tag == 0xa0 {
                hasExtensions = true
                guard try hasDistributionPoints(field) else { return false }
            }
        }
        return version == 1 || !hasExtensions
    }

    /// Whether no issuingDistributionPoint is an empty sequence (§5.2.5).
    private static func hasDistributionPoints(_ field: DERElement) throws(DERFailure) -> Bool {
        var reader = field.reader
        for item in try reader.next(DERElement.Tag.sequence).elements() {
            var reader = item.reader
            let identifier = try reader.next(DERElement.Tag.objectIdentifier).objectID()
            _ = try reader.nextIfPresent(DERElement.Tag.boolean)
            var value = try reader.next(DERElement.Tag.octetString).reader
            guard identifier == .issuingDistributionPoint else { continue }
            guard !(try value.next()).content.isEmpty else { return false }
        }
        return true
    }
}
