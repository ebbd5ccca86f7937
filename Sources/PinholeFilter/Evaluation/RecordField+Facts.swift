import PinholeModel

extension RecordField {
    /// Returns the texts of a record; `nil` if no filter asks for them.
    func texts(of record: Record) -> TextFacts? {
        guard let filter else { return nil }
        switch value {
        case .text(let value):
            let text = value(record)
            return TextFacts(text, isComplete: text != nil || filter.until?.holds(record) ?? true)
        case .texts(let values):
            let texts = values(record).map { Array($0.utf8) }
            return TextFacts(texts, isComplete: filter.until?.holds(record) ?? true)
        case .number, .object, nil: return nil
        }
    }

    /// Returns the number of a record; `nil` if no filter asks for it.
    func number(of record: Record) -> NumberFact? {
        guard let filter, case .number(_, let value) = value else { return nil }
        guard let number = value(record) else {
            return filter.until?.holds(record) ?? true ? .absent : .open
        }
        return filter.growth?.holds(record) == false ? .growing(number) : .known(number)
    }
}
