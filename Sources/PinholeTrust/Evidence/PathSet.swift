/// The valid paths of a chain that a search found.
package struct PathSet: Hashable, Sendable {
    /// The paths, in the order in which they were found.
    package let paths: [ValidatedChain]
    /// Whether these are all paths; `false` if a limit ended the search.
    package let isComplete: Bool

    /// Creates a set.
    package init(_ paths: [ValidatedChain], isComplete: Bool) {
        self.paths = paths
        self.isComplete = isComplete
    }

    /// Returns the set without `path`.
    package func others(than path: ValidatedChain?) -> PathSet {
        PathSet(paths.filter { $0 != path }, isComplete: isComplete)
    }
}
