/// The words of a filter that the language itself does not define: host names and saved filters.
package struct FilterVocabulary: Sendable {
    /// Converts letters beyond ASCII in host names to A-labels; the tables for that are in another target.
    package var hostNames: @Sendable (String) -> String
    /// The saved filters for `@name`; `nil` if they are not known yet, and then each name matches every item.
    package var saved: SavedFilters?

    /// Creates a vocabulary.
    package init(
        hostNames: @escaping @Sendable (String) -> String = { $0 },
        saved: SavedFilters? = SavedFilters()
    ) {
        self.hostNames = hostNames
        self.saved = saved
    }
}
