/// A decoder of one content coding that takes its input in pieces.
///
/// A stage never allocates memory by a size that the input claims. It passes its output on in pieces of bounded size,
/// and the receiver can stop it.
protocol ContentStage: AnyObject {
    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - input: The bytes that follow those of earlier calls.
    ///   - use: A function that takes the output, piece by piece; it returns false to stop the decoding.
    /// - Throws: ``ContentDecoder/Failure/malformed(_:)`` if the bytes are not valid in this coding.
    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure)

    /// Whether the coding is complete after the bytes so far, or has not begun.
    var isAtEnd: Bool { get }

    /// The name of the coding in messages.
    var name: String { get }
}
