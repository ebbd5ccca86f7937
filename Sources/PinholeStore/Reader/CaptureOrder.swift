/// Which end of a list comes first.
package enum CaptureOrder: Sendable {
    /// What came last is first.
    case newestFirst
    /// What came first is first.
    case oldestFirst

    /// The word of SQL.
    var sql: String { self == .newestFirst ? "DESC" : "ASC" }
}
