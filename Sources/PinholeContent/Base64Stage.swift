import PinholeModel

/// Decodes base64, in which gRPC-Web wraps its frames for browsers that cannot read bytes.
///
/// More groups may follow a padded group.
final class Base64Stage: ContentStage {
    let name = "base64"
    private var rest: [UInt8] = []

    var isAtEnd: Bool { rest.isEmpty }

    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure) {
        let text = rest + input
        let whole = text.count / 4 * 4
        rest = Array(text[whole...])
        var content: [UInt8] = []
        // Padding ends a run of groups; each run is decoded by itself.
        var start = 0
        for end in stride(from: 4, through: whole, by: 4) where text[end - 1] == 0x3d || end == whole {
            guard let bytes = Base64.decode(text[start..<end]) else { throw .malformed(name) }
            content.append(contentsOf: bytes)
            start = end
        }
        if !content.isEmpty { _ = try use(content) }
    }
}
