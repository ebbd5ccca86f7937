/// The redaction by which a copy has tokens in place of values, and a proof that it has nothing else.
package enum StructureRedaction {
    /// The choices of a user for one copy.
    package struct Options: Sendable, Equatable {
        /// Names of fields, parameters, cookies and members that stay, however often they occur.
        package var names: [String] = []
        /// Paths whose segments stay; `*` stands for a value.
        package var paths: [String] = []
        /// Whether the names of hosts become tokens, too.
        package var hidesHosts = false

        /// Creates the choices of a user who wants the least.
        package init() {}
    }
}
