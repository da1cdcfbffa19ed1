module github.com/ringtrue/ringtrue/bench/peers

go 1.26.0

require (
	github.com/jonreiter/govader v0.0.0-20250429093935-f6505c8d03cc
	github.com/maxhawkins/go-webrtcvad v0.0.0-20210121163624-be60036f3083
)

require gonum.org/v1/gonum v0.17.0 // indirect
