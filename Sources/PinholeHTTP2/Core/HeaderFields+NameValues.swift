import CNghttp2
import PinholeModel

extension HeaderFields {
    /// Calls `body` with the fields in the form that the library expects; the library copies what it keeps.
    func withNameValues<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: count) { fields in
                for index in indices {
                    let name = lineRange(at: index).lowerBound
                    let value = valueRange(at: index)
                    fields.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: UnsafeMutablePointer(mutating: bytes.baseAddress.map { $0 + name }),
                            value: UnsafeMutablePointer(
                                mutating: bytes.baseAddress.map { $0 + value.lowerBound }
                            ),
                            namelen: nameLength(at: index),
                            valuelen: value.count,
                            // A relay must not index a field that its sender forbade to index, either (RFC 7541
                            // §6.2.3).
                            flags: isNeverIndexed(at: index) ? UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0
                        )
                    )
                }
                return body(UnsafeBufferPointer(fields))
            }
        }
    }
}
