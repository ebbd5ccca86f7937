import PinholeModel

/// A question to the control API whose answer the screen shows.
enum TopQuestion: Hashable, Sendable {
    /// The numbers of the list.
    case index(filter: String, sort: TopSort, isDescending: Bool)
    /// Items of the list.
    case rows([Int64])
    /// An exchange or a flow in full.
    case detail(Int64)
    /// The beginning of a body, without its content codings.
    case body(Int64, TopSide, limit: Int)
    /// Messages of a WebSocket or a stream behind a number.
    case messages(Int64, after: Int64)
    /// The meaning of a filter, or its fault.
    case filter(String)
    /// The curl command of a request, for the clipboard or a file.
    case curl(Int64, file: String?)
    /// A whole body, for a file.
    case wholeBody(Int64, TopSide, file: String)
    /// A message that is held at a breakpoint.
    case held(Int64)

    /// The largest body that the API sends at one time.
    static let longestBody = 16 << 20

    /// The path of the request.
    var path: String {
        switch self {
        case .index(let filter, let sort, let isDescending):
            let order = isDescending ? "descending" : "ascending"
            let sorting = sort == .number ? "" : "&sort=\(sort.rawValue)&order=\(order)"
            return "/api/traffic/index?filter=\(Self.encoded(filter))\(sorting)"
        case .rows(let ids): return "/api/traffic?ids=\(ids.map(String.init).joined(separator: ","))"
        case .detail(let id): return "/api/traffic/\(id)"
        case .body(let id, let side, let limit):
            return "/api/traffic/\(id)/\(side.rawValue)-body?decoded=1&length=\(limit)"
        case .messages(let id, let after):
            return "/api/traffic/\(id)/messages?limit=200" + (after > 0 ? "&after=\(after)" : "")
        case .filter(let text): return "/api/filter?text=\(Self.encoded(text))"
        case .curl(let id, _): return "/api/export?format=curl&ids=\(id)"
        case .wholeBody(let id, let side, _):
            return "/api/traffic/\(id)/\(side.rawValue)-body?decoded=1&length=\(Self.longestBody)"
        case .held(let id): return "/api/breakpoints/\(id)"
        }
    }

    /// Returns a text as a value in a query.
    static func encoded(_ text: String) -> String {
        PercentCoding.encode(Array(text.utf8), isPlain: PercentCoding.isUnreserved)
    }
}

/// The message of an exchange that a body belongs to.
enum TopSide: String, Hashable, Sendable {
    case request
    case response
}
