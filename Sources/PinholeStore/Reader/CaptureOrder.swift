/// The order of a list by numbers.
package enum CaptureOrder: Sendable {
    /// The highest number is first.
    case newestFirst
    /// The lowest number is first.
    case oldestFirst

    /// The keyword of SQL.
    var sql: String { self == .newestFirst ? "DESC" : "ASC" }
}
