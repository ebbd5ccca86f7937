import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeRuntime
import PinholeStore

/// Values of flags.
enum FlagValue {
    /// Turns the text of a flag into a value.
    ///
    /// - Parameters:
    ///   - text: What came.
    ///   - make: Parses it.
    /// - Returns: The value.
    /// - Throws: `ValidationError` that says what was expected.
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

    /// Turns the name of a field into what a list is sorted by.
    ///
    /// - Parameter text: What came.
    /// - Returns: The key.
    /// - Throws: `ValidationError` that says what there is.
    static func sortKey(_ text: String) throws -> TrafficSort.Key {
        if let key = TrafficSort.Key(rawValue: text) { return key }
        let known = TrafficSort.Key.allCases.map(\.rawValue)
        let remedy =
            EditDistance.nearest(to: text, in: known).map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))"
        throw ValidationError("expected a field to sort by, found “\(text)”; \(remedy)")
    }

    /// Turns the words of a filter into a filter.
    ///
    /// - Parameters:
    ///   - words: What came; the shell may have taken it apart.
    ///   - saved: The filters that it may call; `nil` while flags are checked, before the configuration is read.
    /// - Returns: The filter; what is empty lets everything through.
    /// - Throws: `ValidationError` that shows the place.
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

    /// Turns the words of a filter that is about to be used into a filter, and says what may not be meant by it.
    ///
    /// - Parameters:
    ///   - words: What came; the shell may have taken it apart.
    ///   - saved: The filters that it may call.
    /// - Returns: The filter.
    /// - Throws: `ValidationError` that shows the place.
    static func filterInUse(_ words: [String], _ saved: SavedFilters) throws -> Filter {
        let filter = try filter(words, saved)
        sayRemarks(on: filter)
        return filter
    }

    /// Says what is understood of a filter, and may not be what was meant.
    static func sayRemarks(on filter: Filter) {
        for remark in filter.remarks { StandardError.write("pinhole: \(Plain.printable(remark))") }
    }
}
