import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The effects of keys.
extension TopModel {
    /// Takes a key.
    mutating func press(_ key: Key) -> [TopEffect] {
        if key == .control("c") { return [.quit] }
        if key == .control("z") { return [.suspend] }
        if key == .control("l") { return [.repaint] }
        remark = nil
        if prompt != nil { return answer(key) }
        if let asks = pressAnywhere(key) { return asks }
        switch page {
        case .list: return pressInList(key)
        case .detail: return pressInDetail(key)
        case .held: return pressInHeld(key)
        case .heldMessage: return pressInHeldMessage(key)
        case .help:
            if [.character("q"), .escape, .character("?"), .left].contains(key) {
                page = pageBeforeHelp
            } else {
                Self.scroll(&helpText, key)
            }
            return []
        }
    }

    /// Takes a key that means the same on each page; `nil` if it is another one.
    private mutating func pressAnywhere(_ key: Key) -> [TopEffect]? {
        guard page != .help else { return nil }
        switch key {
        case .character("?"):
            pageBeforeHelp = page
            page = .help
            helpText.scroll(to: 0)
            return []
        case .character("b"):
            page = page == .held ? .list : .held
            return []
        case .character("p"): return [.change(.record(!isRecording))]
        case .control("r"): return readAgain()
        default: return nil
        }
    }

    private mutating func pressInList(_ key: Key) -> [TopEffect] {
        switch key {
        case .up, .character("k"): list.move(by: -1)
        case .down, .character("j"): list.move(by: 1)
        case .pageUp, .control("b"): list.move(by: -listHeight)
        case .pageDown, .control("f"), .character(" "): list.move(by: listHeight)
        case .control("u"): list.move(by: -listHeight / 2)
        case .control("d"): list.move(by: listHeight / 2)
        case .home, .character("g"): list.select(0)
        case .end, .character("G"): list.select(.max)
        case .character("F"):
            if list.isFollowing { list.isFollowing = false } else { list.follow() }
        case .enter, .right, .character("l"): if let id = list.selected { show(id) }
        case .character("/"): prompt = .filter(LineEditor(filter), problem: nil)
        case .escape: if !filter.isEmpty { return apply(filter: "") }
        case .character("o"): prompt = .order
        case .character("q"): return [.quit]
        default: return list.selected.map { act(key, on: $0) } ?? []
        }
        return []
    }

    private mutating func pressInDetail(_ key: Key) -> [TopEffect] {
        guard let id = detail?.id else { return [] }
        switch key {
        case .character("q"), .escape, .character("h"):
            page = .list
            // The list may have followed new traffic meanwhile.
            if let place = list.place(of: id) { list.select(place) }
        case .tab, .right, .character("l"): detail?.turn(1)
        case .backTab, .left: detail?.turn(-1)
        case .character("1"): detail?.open(.overview)
        case .character("2"): detail?.open(.request)
        case .character("3"): detail?.open(.response)
        case .character("4"): detail?.open(.tls)
        case .character("5"): detail?.open(.messages)
        case .character("J"), .character(">"): neighbour(1)
        case .character("K"), .character("<"): neighbour(-1)
        case .character("H"): detail?.toggleBytes()
        case .character("+"): detail?.readMore()
        case .character("w"):
            guard let side = detail?.page.side else {
                remark = Remark(text: "open the request (2) or the response (3), whose body is to be written")
                break
            }
            prompt = .file(LineEditor("\(id)-\(side.rawValue).bin"), id: id, side: side)
        case .character("/"): prompt = .search(LineEditor())
        case .character("n"): step(1)
        case .character("N"): step(-1)
        default:
            guard var text = detail?.text else { break }
            guard Self.scroll(&text, key) else { return act(key, on: id) }
            detail?.text = text
        }
        return []
    }

    /// Moves a text by a key; `false` if the key does not.
    @discardableResult
    private static func scroll(_ text: inout PagedText, _ key: Key) -> Bool {
        switch key {
        case .up, .character("k"): text.scroll(by: -1)
        case .down, .character("j"), .enter: text.scroll(by: 1)
        case .pageUp, .control("b"): text.scroll(by: -text.height)
        case .pageDown, .control("f"), .character(" "): text.scroll(by: text.height)
        case .control("u"): text.scroll(by: -text.height / 2)
        case .control("d"): text.scroll(by: text.height / 2)
        case .home, .character("g"): text.scroll(to: 0)
        case .end, .character("G"): text.scroll(to: text.count)
        default: return false
        }
        return true
    }

    /// Shows the next item of the list, or the one before, on the same page of the detail.
    private mutating func neighbour(_ distance: Int) {
        guard let place = detail.flatMap({ list.place(of: $0.id) }) else { return }
        list.select(place + distance)
        guard let id = list.selected, id != detail?.id else { return }
        show(id)
    }

    private mutating func step(_ distance: Int) {
        guard detail?.text.wanted.isEmpty == false else {
            remark = Remark(text: "/ searches a text on this page")
            return
        }
        guard detail?.text.position != nil else {
            remark = Remark(text: "“\(searched)” is not on this page", isFault: true)
            return
        }
        detail?.text.step(distance)
    }

    /// Acts on an exchange or a flow, from the list and from the detail.
    private mutating func act(_ key: Key, on id: Int64) -> [TopEffect] {
        switch key {
        case .character("m"):
            let note = list.items[id]?.note ?? detail?.record?.note
            let isMarked = !(note?.isMarked ?? false)
            list.change(id) { $0.note.isMarked = isMarked }
            return [.change(.mark(id, isMarked))]
        case .character("c"):
            prompt = .comment(LineEditor(list.items[id]?.note.comment ?? ""), id: id)
        case .character("x"):
            prompt = .confirm(
                "end \(id) toward the client and the server?",
                [.change(.abort(id))]
            )
        case .character("r"): return repeatRequest(id)
        case .character("y"): return isRequest(id) ? [.get(.curl(id, file: nil))] : []
        case .character("Y"):
            if isRequest(id) { prompt = .file(LineEditor("\(id).sh"), id: id, side: nil) }
        default: break
        }
        return []
    }

    /// Whether it is a request; if not, a remark says so.
    private mutating func isRequest(_ id: Int64) -> Bool {
        var isFlow = detail?.id == id && detail?.isFlow == true
        if case .flow(_)? = list.items[id]?.kind { isFlow = true }
        guard isFlow else { return true }
        remark = Remark(text: "\(id) is a connection without a request", isFault: true)
        return false
    }

    /// Sends a request again; one that may change something on the server only after a question.
    private mutating func repeatRequest(_ id: Int64) -> [TopEffect] {
        guard isRequest(id) else { return [] }
        guard let exchange = detail?.id == id ? detail?.record?.exchange : nil else {
            // The request's head is in the detail, which is read first.
            show(id)
            detail?.open(.request)
            remark = Remark(text: "this is the request; r sends it again")
            return []
        }
        let request = RequestOrder(repeating: exchange, hasProxy ? .proxy : .direct)
        let ask = TopEffect.change(.send(request))
        guard !request.isSafe else { return [ask] }
        prompt = .confirm("send \(Plain.printable(exchange.method)) \(id) again?", [ask])
        return []
    }

    private mutating func pressInHeld(_ key: Key) -> [TopEffect] {
        switch key {
        case .up, .character("k"): heldCursor = max(0, heldCursor - 1)
        case .down, .character("j"): heldCursor = max(0, min(held.count - 1, heldCursor + 1))
        case .character("q"), .escape, .left, .character("h"): page = .list
        case .enter, .right, .character("l"):
            if let id = selectedHeld?.id { return showHeld(id) }
        default: return decide(key)
        }
        return []
    }

    private mutating func pressInHeldMessage(_ key: Key) -> [TopEffect] {
        if [.character("q"), .escape, .left, .character("h")].contains(key) {
            page = .held
        } else if !Self.scroll(&heldText, key) {
            return decide(key)
        }
        return []
    }

    /// Decides about the selected message that is held.
    private mutating func decide(_ key: Key) -> [TopEffect] {
        guard let id = selectedHeld?.id else { return [] }
        switch key {
        case .character("a"): return [.change(.decide(id, MessageDecision(.proceed)))]
        case .character("d"): return [.change(.decide(id, MessageDecision(.drop(isReset: false))))]
        case .character("e"): return [.edit(id, draft: drafts[id])]
        default: return []
        }
    }

    /// Takes a key of the answer to a prompt.
    private mutating func answer(_ key: Key) -> [TopEffect] {
        guard let prompt else { return [] }
        if key == .escape {
            self.prompt = nil
            return []
        }
        switch prompt {
        case .order:
            self.prompt = nil
            guard let sort = TopSort.allCases.first(where: { key == .character($0.key) }) else { return [] }
            return order(by: sort)
        case .confirm(_, let asks):
            self.prompt = nil
            return key == .character("y") ? asks : []
        case .filter, .search, .comment, .file: return edit(prompt, key)
        }
    }

    private mutating func edit(_ prompt: TopPrompt, _ key: Key) -> [TopEffect] {
        guard var editor = prompt.editor else { return [] }
        if key == .enter { return finish(prompt) }
        let isChanged = editor.take(key)
        self.prompt = prompt.replacing(editor)
        guard isChanged, case .filter = prompt else { return [] }
        // The place of a fault is one in the text before the change.
        self.prompt = .filter(editor, problem: nil)
        return [.get(.filter(editor.text))]
    }

    private mutating func finish(_ prompt: TopPrompt) -> [TopEffect] {
        switch prompt {
        case .filter(let editor, let problem):
            guard problem == nil else { return [] }
            self.prompt = nil
            return apply(filter: editor.text)
        case .search(let editor):
            self.prompt = nil
            searched = editor.text
            detail?.text.search(searched)
            if detail?.text.position == nil, !searched.isEmpty {
                remark = Remark(text: "“\(searched)” is not on this page", isFault: true)
            }
        case .comment(let editor, let id):
            self.prompt = nil
            let comment = editor.text.isEmpty ? nil : editor.text
            list.change(id) { $0.note.comment = comment }
            return [.change(.comment(id, comment))]
        case .file(let editor, let id, let side):
            guard !editor.text.isEmpty else { return [] }
            self.prompt = nil
            return [.get(side.map { .wholeBody(id, $0, file: editor.text) } ?? .curl(id, file: editor.text))]
        case .order, .confirm: break
        }
        return []
    }
}
