/// One content coding, taken off piece by piece.
///
/// It never allocates by what the bytes claim: what comes out is handed on in pieces of bounded size, and
/// whoever takes them may say that it was enough.
protocol ContentStage: AnyObject {
    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - input: What follows the bytes before.
    ///   - use: Is given what comes out, in pieces; false ends it.
    /// - Throws: ``ContentDecoder/Failure/malformed(_:)`` where the bytes are no such coding.
    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure)

    /// Whether the coding ended where the bytes so far end, or there were none.
    var isAtEnd: Bool { get }

    /// The coding's name.
    var name: String { get }
}
