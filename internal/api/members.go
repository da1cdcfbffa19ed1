package api

import (
	"context"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Members is who belongs to a workspace, and who has been invited.
type Members interface {
	Members(ctx context.Context, workspaceID string) ([]people.Member, error)
	SetRole(ctx context.Context, by workspace.Identity, personID string, role workspace.Role) (people.Member, error)
	Remove(ctx context.Context, by workspace.Identity, personID string) error
	// Invite returns the token, which is stored nowhere.
	Invite(ctx context.Context, by workspace.Identity, email string, role workspace.Role) (people.Invitation, string, error)
	// Invitations returns newest first and the cursor of the next page, "" when there is none.
	Invitations(ctx context.Context, workspaceID string, limit int, cursor string) ([]people.Invitation, string, error)
	Withdraw(ctx context.Context, by workspace.Identity, id string) error
}

// Member is a person in the workspace.
type Member struct {
	ID        string         `json:"id" doc:"Id of the person"`
	Name      string         `json:"name" doc:"What the person is called"`
	Email     string         `json:"email" doc:"E-mail address of the person"`
	Role      workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"What the person may do. viewer: look; member: also create, change and run; admin: also manage keys, members and credentials; owner: everything"`
	CreatedAt int64          `json:"created_at" doc:"Since when the person is a member, milliseconds since 1970"`
	SeenAt    *int64         `json:"seen_at" doc:"When the person was last seen signed in, to the minute, milliseconds since 1970; null when that was never or long ago"`
	You       bool           `json:"you" doc:"true: this is the person who asks"`
}

// MemberChange is another role.
type MemberChange struct {
	Role workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"The new role. Only an owner can make somebody an owner or take that role away"`
}

// Invitation is one that nobody has taken up yet.
type Invitation struct {
	ID        string         `json:"id" doc:"Id of the invitation"`
	Email     string         `json:"email" doc:"The address that is invited"`
	Role      workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"The role that the person gets"`
	InvitedBy string         `json:"invited_by" doc:"Name of who made it"`
	CreatedAt int64          `json:"created_at" doc:"Milliseconds since 1970"`
	ExpiresAt int64          `json:"expires_at" doc:"When it stops working, milliseconds since 1970"`
}

// InvitationCreated is a new invitation with its link.
type InvitationCreated struct {
	Invitation
	URL string `json:"url" doc:"The link to send to the person; it is shown only this once"`
}

// InvitationCreate invites somebody.
type InvitationCreate struct {
	Email string         `json:"email" doc:"The address to invite" example:"grace@example.com"`
	Role  workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"The role that the person gets"`
}

type (
	memberPath struct {
		ID string `path:"id" maxLength:"128" doc:"Id of the person"`
	}
	memberChangeInput struct {
		ID   string `path:"id" maxLength:"128" doc:"Id of the person"`
		Body MemberChange
	}
	invitationInput struct{ Body InvitationCreate }
	invitationPath  struct {
		ID string `path:"id" maxLength:"128" doc:"Id of the invitation"`
	}
	invitationOutput struct {
		CacheControl string `header:"Cache-Control"`
		Body         InvitationCreated
	}
)

const tagMembers = "Members"

func (s *server) memberRoutes() {
	if s.Members == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-members", Method: http.MethodGet, Path: "/members", Tags: []string{tagMembers},
		Summary: "List the members of the workspace, by name", Description: "All are on one page.",
	}, s.listMembers)
	rest.Register(s.Server, huma.Operation{
		OperationID: "change-member", Method: http.MethodPatch, Path: "/members/{id}", Tags: []string{tagMembers},
		Summary: "Change the role of a member", Description: "The last owner must stay an owner: anything else is refused as conflict.",
	}, s.changeMember)
	rest.Register(s.Server, huma.Operation{
		OperationID: "remove-member", Method: http.MethodDelete, Path: "/members/{id}", Tags: []string{tagMembers},
		Summary: "Remove a member from the workspace", DefaultStatus: http.StatusNoContent,
		Description: "The person is signed out everywhere. API keys that the person made are kept. Who is in no workspace afterwards is forgotten, with the views that nobody else sees.",
	}, s.removeMember)
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-invitation", Method: http.MethodPost, Path: "/invitations", Tags: []string{tagMembers},
		Summary: "Invite somebody into the workspace", DefaultStatus: http.StatusCreated,
		Description: "No e-mail is sent: pass the link in url on yourself. It works once, within a week, and replaces an earlier invitation of the same address.",
	}, s.createInvitation)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-invitations", Method: http.MethodGet, Path: "/invitations", Tags: []string{tagMembers},
		Summary: "List open invitations, newest first", Description: "Without their links.",
	}, s.listInvitations)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-invitation", Method: http.MethodDelete, Path: "/invitations/{id}", Tags: []string{tagMembers},
		Summary: "Withdraw an invitation", DefaultStatus: http.StatusNoContent,
	}, s.deleteInvitation)
}

func (s *server) listMembers(ctx context.Context, _ *struct{}) (*rest.Body[rest.Page[Member]], error) {
	list, err := s.Members.Members(ctx, rest.WorkspaceOf(ctx))
	if err != nil {
		return nil, err
	}
	you := rest.IdentityOf(ctx).PersonID
	return rest.Answer(rest.PageOf(rest.Mapped(list, func(m people.Member) Member { return wireMember(m, you) }), "")), nil
}

func (s *server) changeMember(ctx context.Context, in *memberChangeInput) (*rest.Body[Member], error) {
	m, err := s.Members.SetRole(ctx, rest.IdentityOf(ctx), in.ID, in.Body.Role)
	if err != nil {
		return nil, err
	}
	return rest.Answer(wireMember(m, rest.IdentityOf(ctx).PersonID)), nil
}

func (s *server) removeMember(ctx context.Context, in *memberPath) (*struct{}, error) {
	return nil, s.Members.Remove(ctx, rest.IdentityOf(ctx), in.ID)
}

func (s *server) createInvitation(ctx context.Context, in *invitationInput) (*invitationOutput, error) {
	i, token, err := s.Members.Invite(ctx, rest.IdentityOf(ctx), in.Body.Email, in.Body.Role)
	if err != nil {
		return nil, err
	}
	link := s.PublicURL + "/join?" + url.Values{"token": {token}}.Encode()
	return &invitationOutput{CacheControl: "no-store", Body: InvitationCreated{wireInvitation(i), link}}, nil
}

func (s *server) listInvitations(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[Invitation]], error) {
	list, next, err := s.Members.Invitations(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireInvitation), next)), nil
}

func (s *server) deleteInvitation(ctx context.Context, in *invitationPath) (*struct{}, error) {
	return nil, s.Members.Withdraw(ctx, rest.IdentityOf(ctx), in.ID)
}

func wireMember(m people.Member, you string) Member {
	return Member{ID: m.PersonID, Name: m.Name, Email: m.Email, Role: m.Role, CreatedAt: rest.Moment(m.CreatedAt), SeenAt: rest.Millis(m.SeenAt), You: m.PersonID == you}
}

func wireInvitation(i people.Invitation) Invitation {
	return Invitation{ID: i.ID, Email: i.Email, Role: i.Role, InvitedBy: i.MadeByName, CreatedAt: rest.Moment(i.CreatedAt), ExpiresAt: rest.Moment(i.EndsAt)}
}
