import PinholeFormats
import PinholeStore

/// A page of the console's list.
struct TrafficPageJSON: Codable {
    let items: [TrafficItemJSON]
    let more: Bool?

    /// Takes the rows of a page, and whether there are more.
    init(_ rows: some Collection<TrafficRow>, more: Bool?) {
        items = rows.map { TrafficItemJSON($0, showsTimings: true) }
        self.more = more
    }
}
