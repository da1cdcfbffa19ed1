package audio

// tagHead is how long the head of an ID3v2 tag is, and its foot, where it has one.
const tagHead = 10

// TagSize is how long the ID3v2 tag is that begins with head, of which there are 10 bytes: a tag of
// version 4 may have a foot like its head, which the size in that does not count.
func TagSize(head []byte) int {
	const version, footed = 4, 0x10
	size := tagHead
	for i, c := range head[6:tagHead] {
		size += int(c&0x7f) << (7 * (3 - i))
	}
	if head[3] >= version && head[5]&footed != 0 {
		size += tagHead
	}
	return size
}
