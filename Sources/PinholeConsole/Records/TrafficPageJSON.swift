import PinholeFormats
import PinholeModel
import PinholeStore

/// A page of the console's list.
struct TrafficPageJSON: Encodable {
    let items: [TrafficItemJSON]
    let more: Bool?
}
