/// A DSA key without parameters, which takes them from the key of its issuer (RFC 3279 §2.3.2).
package enum InheritedKey {
    /// Returns the SubjectPublicKeyInfo of `key` with the algorithm of `issuer`; `nil` if `key` has parameters or
    /// another algorithm.
    package static func complete(_ key: [UInt8], from issuer: [UInt8]) -> [UInt8]? {
        do throws(DERFailure) {
            let own = try parts(key)
            let donor = try parts(issuer)
            guard own.algorithm.count == 1, own.algorithm.first?.encoding == donor.algorithm.first?.encoding
            else { return nil }
            let content = Array(donor.whole) + Array(own.bits)
            return [DERElement.Tag.sequence] + length(content.count) + content
        } catch {
            return nil
        }
    }

    private static func parts(
        _ key: [UInt8]
    ) throws(DERFailure) -> (whole: ArraySlice<UInt8>, algorithm: [DERElement], bits: ArraySlice<UInt8>) {
        var file = DERReader(key[...])
        var fields = try file.next(DERElement.Tag.sequence).reader
        let algorithm = try fields.next(DERElement.Tag.sequence)
        let bits = try fields.next(DERElement.Tag.bitString)
        return (algorithm.encoding, try algorithm.elements(), bits.encoding)
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(digits.count)] + digits
    }
}
