/// The time after which a test gives up waiting.
///
/// A wait ends as soon as its event comes, so a long limit costs nothing where all goes well. Other programs may take
/// most of a machine that runs tests for a minute or more, so a short limit fails tests that are right.
package enum Patience {
    /// The limit, in seconds, for programs that take it as a number.
    package static let seconds = 600
    /// The limit.
    package static let limit = Duration.seconds(seconds)
}
