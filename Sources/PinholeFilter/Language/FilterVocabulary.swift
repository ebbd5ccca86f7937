/// What the words of a filter mean beyond the language itself.
package struct FilterVocabulary: Sendable {
    /// Turns letters beyond ASCII in names of hosts into A-labels, which takes tables that are not here.
    package var hostNames: @Sendable (String) -> String
    /// The filters that `@name` calls; `nil` while nobody knows them, when each name lets everything through.
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
