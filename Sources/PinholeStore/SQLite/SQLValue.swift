/// A value for a parameter of a statement.
enum SQLValue: Equatable, Sendable {
    case null
    case number(Int64)
    case text(String)
}
