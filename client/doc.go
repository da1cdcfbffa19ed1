// Package client is the Go client of Ringtrue. It needs nothing but the
// standard library, and nothing else of this project: package api on the
// server is the other end.
//
// A test run from beginning to end:
//
//	c := client.New("http://127.0.0.1:8080", os.Getenv("RINGTRUE_KEY"))
//	run, err := c.Run(ctx, agentID, client.RunRequest{ToNumber: "+15550100", DatasetID: datasetID})
//	if err != nil {
//		return err
//	}
//	done, err := c.WaitFinished(ctx, run.VoiceExperimentID, nil)
//	if err != nil {
//		return err
//	}
//	report, err := c.Report(ctx, done.ID)
//
// Whatever the service refuses comes back as an *Error with its stable code,
// the fields at fault and a hint.
package client
