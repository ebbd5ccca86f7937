package import PinholeModel

/// The result of a comparison for one pair as JSON; docs/EXCHANGE.md describes the keys.
package struct DifferenceJSON: Codable, DescribedMembers, Sendable {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("type", values: ["difference"]),
        FieldJSON("server", "The scheme and the server."),
        FieldJSON(
            "before",
            "The number of the exchange in the recording; missing if only the capture has it."
        ),
        FieldJSON(
            "after",
            "The number of the exchange in the capture; missing if only the recording has it."
        ),
    ]

    struct Nearest: Codable {
        let id: Int64
        let method: String
        let path: String
    }

    private let type: String
    private let method: String
    private let server: String
    private let path: String
    private let before: Int64?
    private let after: Int64?
    private let differences: [FactDifference]
    private let noise: Int
    private let nearest: Nearest?

    /// Describes a result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - longest: The number of characters of a value; a longer one is cut, and ends with an ellipsis.
    ///   - most: The number of differences.
    package init(_ result: CaptureComparison.Result, longest: Int = .max, most: Int = .max) {
        func cut(_ text: String?) -> String? {
            text.map { longest < .max && $0.count > longest ? "\($0.prefix(longest - 1))…" : $0 }
        }
        type = "difference"
        let item = result.pair.before ?? result.pair.after
        method = item?.method ?? ""
        server = cut(item?.server) ?? ""
        path = cut(item?.path) ?? ""
        before = result.pair.before?.id.rawValue
        after = result.pair.after?.id.rawValue
        differences = result.differences.prefix(most).map { difference in
            let (before, after) = (cut(difference.before), cut(difference.after))
            return FactDifference(name: cut(difference.name) ?? "", before: before, after: after)
        }
        noise = result.noise
        nearest = result.nearest.map { near in
            Nearest(id: near.id.rawValue, method: near.method, path: cut(near.path) ?? "")
        }
    }
}

/// The counts of the results of a comparison, for output and as JSON.
package struct ComparisonSummary: Codable, DescribedMembers, Sendable {
    /// The members whose meaning the description of the API tells.
    package static let described = [FieldJSON("type", values: ["summary"])]

    private var type = "summary"
    /// The number of pairs that are the same.
    package private(set) var same = 0
    /// The number of pairs that differ.
    package private(set) var different = 0
    /// The number of exchanges that only the first recording has.
    package private(set) var onlyBefore = 0
    /// The number of exchanges that only the second recording has.
    package private(set) var onlyAfter = 0
    /// The number of differences that were left out as noise.
    package private(set) var noise = 0

    private enum CodingKeys: CodingKey { case type, same, different, onlyBefore, onlyAfter, noise }

    /// Creates the counts of no results.
    package init() {}

    /// Whether anything differs.
    package var isDifferent: Bool { different + onlyBefore + onlyAfter > 0 }

    /// Counts a result.
    package mutating func count(_ result: CaptureComparison.Result) {
        noise += result.noise
        switch (result.pair.before, result.pair.after) {
        case (.some, nil): onlyBefore += 1
        case (nil, .some): onlyAfter += 1
        default: if result.isSame { same += 1 } else { different += 1 }
        }
    }
}
