package import PinholeClient
package import PinholeModel

/// The collector that gets spans, and what is sent along.
package struct CollectorSettings: Sendable, Equatable {
    /// The URL as the user wrote it; `nil` if no spans are sent.
    package var url: String?
    /// The encoding of the spans.
    package var encoding = SpanBatch.Encoding.protobuf
    /// Whether the spans are compressed with gzip.
    package var compresses = false
    /// The fields of each request, such as Authorization.
    package var fields: [HeaderLine] = []
    /// The attributes of the source of all spans, such as `deployment.environment.name`.
    package var attributes: [Span.Attribute] = []

    /// Creates settings without a collector.
    package init() {}

    /// Returns the URL to which traces are sent.
    ///
    /// - Parameter text: A URL; one without a path names a collector, which takes traces at `/v1/traces`.
    /// - Returns: The URL.
    /// - Throws: `AddressFailure` for a text that is no such URL.
    package static func traces(_ text: String) throws(AddressFailure) -> ClientURL {
        do throws(ClientFailure) {
            let url = try ClientURL(text)
            return url.target == "/" ? try url.resolving("/v1/traces") : url
        } catch {
            throw AddressFailure(
                UserInfo.hidden(in: text),
                expected: "the URL of a collector, such as http://127.0.0.1:4318"
            )
        }
    }
}
