import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeRuntime
import PinholeSession

/// Values of flags.
enum FlagValue {
    /// Turns the text of a flag into a value.
    ///
    /// - Parameters:
    ///   - text: The text of the flag.
    ///   - make: Parses the text.
    /// - Returns: The value.
    /// - Throws: `ValidationError` with the expected notation.
    static func parse<Value>(
        _ text: String,
        _ make: (String) throws(AddressFailure) -> Value
    ) throws -> Value {
        do throws(AddressFailure) {
            return try make(text)
        } catch {
            throw ValidationError("expected \(error.expected), found “\(error.text)”")
        }
    }

    /// Turns the text of a flag into a host, whose name may have letters of other scripts.
    static func host(_ text: String) throws -> Host {
        try parse(InternationalName.ascii(text)) { (text) throws(AddressFailure) in try Host(text) }
    }

    /// Turns the text of a flag into a server, at port 443 if the text names no port.
    static func server(_ text: String) throws -> Authority {
        try parse(InternationalName.ascii(text)) { (text) throws(AddressFailure) in
            try Authority(text, defaultPort: 443)
        }
    }

    /// Turns the text of a flag into a moment: a date, a time, or a duration before now.
    static func moment(_ text: String) throws -> Timestamp {
        try parse(text) { (text) throws(AddressFailure) in
            try Moment(text, now: LoopClock().now()).timestamp
        }
    }

    /// Turns the text of a flag into an address that is used without name resolution.
    static func override(_ text: String) throws -> Resolver.Override {
        try parse(InternationalName.ascii(text), Resolver.Override.init)
    }

    /// Turns the text of a flag into one of its values.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - what: The name of the kind of value, for users.
    /// - Returns: The value.
    /// - Throws: `ValidationError` with the nearest value, or with all of them.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String,
        _ what: String
    ) throws -> Choice {
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        let remedy =
            Remedy.nearest(to: text, in: known) ?? "write one of \(known.joined(separator: ", "))"
        throw ValidationError("expected \(what), found “\(text)”\(Remedy.clause(remedy))")
    }

    /// Turns the words of a filter into a filter.
    ///
    /// - Parameters:
    ///   - words: The words of the filter; the shell may have split it.
    ///   - saved: The filters that it may call; `nil` while flags are checked, before the configuration is read.
    /// - Returns: The filter; an empty one selects everything.
    /// - Throws: `ValidationError` that shows the place of a mistake.
    static func filter(_ words: [String], _ saved: SavedFilters?) throws -> Filter {
        do throws(FilterFailure) {
            return try Filter(
                words.joined(separator: " "),
                FilterVocabulary(hostNames: InternationalName.ascii, saved: saved)
            )
        } catch {
            throw ValidationError("the filter is wrong: \(error)")
        }
    }

    /// Turns the words of a filter that is about to be used into a filter, and writes the remarks on it.
    ///
    /// - Parameters:
    ///   - words: The words of the filter; the shell may have split it.
    ///   - saved: The filters that it may call.
    /// - Returns: The filter.
    /// - Throws: `ValidationError` that shows the place of a mistake.
    static func filterInUse(_ words: [String], _ saved: SavedFilters) throws -> Filter {
        let filter = try filter(words, saved)
        sayRemarks(on: filter)
        return filter
    }

    /// Writes remarks on parts of a filter that may mean something else than the user wants.
    static func sayRemarks(on filter: Filter) {
        for remark in filter.remarks { StandardError.write("pinhole: \(Plain.printable(remark))") }
    }
}
