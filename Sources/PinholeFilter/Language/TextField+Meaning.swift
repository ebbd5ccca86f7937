import PinholeModel

extension TextField {
    /// The fields for listings: each one once, without its variants for the request and the response.
    package static let listed: [TextField] =
        all.filter { $0.part == .either } + [.header(.either, "name")]

    /// The side of the messages; both sides for a field that belongs to neither.
    private var part: Part {
        switch self {
        case .headers(let part), .header(let part, _), .contentType(let part), .body(let part): part
        default: .either
        }
    }

    /// The meaning of the text, for listings and docs/FILTERS.md.
    package var meaning: String {
        switch self {
        case .named(let field): field.meaning
        case .comment: "the comment from the console"
        case .marker: "the mark from the console, which is `:default:` as in mitmproxy"
        case .headers: "each header as `name: value`, trailers too"
        case .header: "each value of the header; `header[x-id] ~ *` is true if the header is present"
        case .contentType:
            "Content-Type: as it was sent, or a word as the console's column shows it (`html`, `json`, `js`, `css`, "
                + "`image/png`), the type without its parameters (`text/html`), the kind (`image`, `font`), or the "
                + "syntax (`json` of `application/problem+json`). `matches` and `~t` search only the text that was sent"
        case .body: "the body, decoded (gzip, deflate, br, zstd), and the messages of a WebSocket"
        case .graphQL(.operation):
            "the name of a GraphQL operation: in the request's body, in its URL, or in a WebSocket"
        case .graphQL(.type): "`query`, `mutation` or `subscription`, of GraphQL"
        }
    }

    /// A filter that compares the text.
    package var example: String {
        switch self {
        case .named(let field): field.example
        case .comment: "comment contains why"
        case .marker: "marker == :default:"
        case .headers: "headers matches \"^server: nginx\""
        case .header: "header[grpc-status] != 0"
        case .contentType: "type == html"
        case .body: "body contains teapot"
        case .graphQL(.operation): "graphql.operation == GetOrder"
        case .graphQL(.type): "graphql.type == mutation"
        }
    }
}
