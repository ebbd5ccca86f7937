import GRDB

extension Row {
    /// The bytes of a blob; none for NULL.
    func bytes(at index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { $0.map(Array.init) ?? [] }
    }
}
