/// The comparison of names with name constraints (RFC 5280 §4.2.1.10).
package struct NameConstraintRules: Hashable, Sendable {
    /// The treatment of a constraint on a kind of name that is not compared.
    package enum Uncompared: Hashable, Sendable {
        /// The constraint has no effect.
        case ignored
        /// A certificate with a name of that kind is refused (RFC 5280 §6.1).
        case refusedIfNamed
        /// The certificate with the constraint is refused if the extension is critical.
        case refusedIfCritical
        /// Permitted names have no effect; an excluded name, unless it is empty, refuses all certificates below.
        case refusedIfExcluded
    }

    /// The comparison of dNSNames.
    package enum Domains: Hashable, Sendable {
        /// The constraint is the name, or its end after a dot. Dots at the end count.
        case suffix
        /// As `suffix`, after a dot at the end was dropped.
        case suffixWithoutRoot
        /// Labels are compared; a constraint without labels covers every name.
        case labels
    }

    /// The form of the hosts in constraints and in the names that are compared with them.
    package enum HostForm: Hashable, Sendable {
        /// Any text is compared.
        case any
        /// Labels of visible characters, none of them empty.
        case labels
        /// Labels of letters, digits, hyphens and underscores; a dot may follow the last one.
        case names
    }

    /// The comparison of rfc822Names.
    package struct Mail: Hashable, Sendable {
        /// The treatment of text that is no mailbox and no host.
        package enum Malformed: Hashable, Sendable {
            /// The text is compared as it is.
            case compared
            /// An empty name is refused.
            case emptyRefused
            /// The certificate is refused.
            case refused
        }

        /// Whether the part before the @ is compared with regard to case.
        package var isCaseSensitive = true
        /// The treatment of text that is no mailbox.
        package var malformed = Malformed.refused
        /// Whether a mailbox at a literal address is refused: RFC 5280 §4.2.1.10 compares hosts.
        package var refusesAddressLiterals = false
        /// Whether a constraint without @ covers the mailboxes of the hosts below it, too.
        package var coversSubdomains = false
        /// Whether a constraint that begins with @ stands for all mailboxes of the host.
        package var readsLeadingAt = false
    }

    /// The treatment of common names.
    package enum CommonName: Hashable, Sendable {
        /// They are not compared.
        case ignored
        /// Text that has the form of a host counts as a dNSName.
        case host
        /// Any text counts as a dNSName.
        case anyText
    }

    /// The comparison of directoryNames.
    package enum Directories: Hashable, Sendable {
        /// The constraint is the beginning of the name.
        case prefix
        /// The shorter of both is the beginning of the other.
        case commonPrefix
        /// As `prefix`, but an empty constraint covers no name.
        case nonEmptyPrefix
    }

    /// The kinds of names that are compared.
    var kinds: Set<GeneralName.Kind> = [.email, .domain, .directory, .uri, .address]
    /// The kinds whose constraints refuse the certificate that has them.
    var refusedKinds: Set<GeneralName.Kind> = []
    /// The treatment of constraints on other kinds.
    package var uncompared = Uncompared.refusedIfNamed
    /// The comparison of dNSNames.
    package var domains = Domains.suffix
    /// The form of hosts: another form refuses the certificate that has the constraint or the name.
    package var hostForm = HostForm.any
    /// Whether the mask of an address must be a prefix, as RFC 4632 has them.
    package var refusesMalformedMasks = false
    /// Whether names are refused that are addresses of another length, or URIs whose host is no name.
    package var refusesMalformedNames = false
    /// Whether a URI constraint covers the hosts below it, too; RFC 5280 asks for a dot at its beginning then.
    package var uriCoversSubdomains = false
    /// Whether a wildcard is excluded if one of the names that it covers is.
    package var expandsWildcards = false
    /// Whether an empty constraint on dNSNames covers every name.
    package var emptyDomainCoversAll = true
    /// The comparison of rfc822Names.
    package var mail = Mail()
    /// The comparison of directoryNames.
    package var directories = Directories.prefix
    /// Whether the emailAddress of a subject counts as an rfc822Name (RFC 5280 §4.2.1.10).
    package var readsSubjectMail = true
    /// The treatment of a leaf's common name, if it has no dNSName.
    package var commonName = CommonName.ignored
    /// Whether an empty subject is compared with permitted names, too.
    package var comparesEmptySubject = false
    /// Whether an empty dNSName is refused, and a constraint that is a dot alone.
    package var refusesEmptyDomain = false
    /// Whether self-issued authorities are left out (RFC 5280 §6.1.3 (b)).
    package var skipsSelfIssued = true

    /// Creates the rules of RFC 5280.
    package init() {}
}
