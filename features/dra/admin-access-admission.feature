Feature: Admission of ResourceClaims and ResourceClaimTemplates with adminAccess
  Starting with Kubernetes 1.33, adminAccess can be used only in a namespace with the admin-access label. The
  API server checks the label of the namespace, not the identity of the user.

  Rule: Namespace label that adminAccess requires

    Background:
      Given the objects
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: operators, labels: {resource.k8s.io/admin-access: "true"}}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: default}
        """

    @case:template-in-labelled-namespace
    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: A ResourceClaimTemplate with adminAccess is stored in a namespace labelled admin-access
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaimTemplate
        metadata: {name: large-black-cat-claim-template, namespace: operators}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is stored with
        | field                                             | value |
        | spec.spec.devices.requests[0].exactly.adminAccess | true  |
      But since Kubernetes 1.34, because these releases use the label resource.kubernetes.io/admin-access: the object is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @case:claim-in-labelled-namespace
    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: A ResourceClaim with adminAccess is stored in a namespace labelled admin-access
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: large-black-cat-claim, namespace: operators}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is stored as written
      But since Kubernetes 1.34, because these releases use the label resource.kubernetes.io/admin-access: the object is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @case:claim-in-unlabelled-namespace
    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: A ResourceClaim with adminAccess is rejected in a namespace without the admin-access label
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: large-black-cat-claim, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @case:ordinary-user-in-labelled-namespace
    @DRA/admin-access/only-authorized-users @profile:kep @profile:in-1.33
    Scenario: A user without admin rights can use adminAccess in a namespace labelled admin-access
      When as user "jane" in group "team", this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: of-jane, namespace: operators}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is stored as written

    @case:administrator-needs-label
    @DRA/admin-access/only-authorized-users
    Scenario: A user in system:masters cannot use adminAccess in a namespace not labelled admin-access
      When as user "root" in group "system:masters", this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: of-root, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @case:template-in-unlabelled-namespace
    @DRA/admin-access/namespace-label-required
    Scenario: A ResourceClaimTemplate cannot use adminAccess in a namespace not labelled admin-access
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaimTemplate
        metadata: {name: large-black-cat-claim-template, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @case:second-request-needs-label
    @DRA/admin-access/namespace-label-required
    Scenario: A ResourceClaim whose second request alone has adminAccess needs the admin-access label
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: two, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com}
              - name: req-1
                exactly: {deviceClassName: resource.example.com, adminAccess: true}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec.devices.requests[1].adminAccess"

    @case:claim-without-admin-needs-no-label
    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A ResourceClaim without adminAccess is stored in a namespace not labelled admin-access
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: ordinary, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All}
        """
      Then the object is stored as written

    @case:admin-false-needs-no-label
    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A ResourceClaim with adminAccess: false is stored in a namespace not labelled admin-access
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: ordinary, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: false}
        """
      Then the object is stored

    @case:template-without-admin-needs-no-label
    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A ResourceClaimTemplate without adminAccess needs no admin-access label on its namespace
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaimTemplate
        metadata: {name: ordinary, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {deviceClassName: resource.example.com, allocationMode: All}
        """
      Then the object is stored

  @profile:kep @profile:until-1.35
  Rule: adminAccess in new objects with DRAAdminAccess off

    Background:
      Given the feature gate "DRAAdminAccess" is off
      And the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default}
        """

    @case:gate-off-claim-drops-field
    @DRA/feature-gate/admin-access-off-removes-field @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAAdminAccess off, adminAccess is dropped from a ResourceClaim
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: large-black-cat-claim, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is stored with
        | field                                            | value                |
        | spec.devices.requests[0].exactly.deviceClassName | resource.example.com |
        | spec.devices.requests[0].exactly.allocationMode  | All                  |
      And the field "spec.devices.requests[0].exactly.adminAccess" is dropped

    @case:gate-off-second-request-drops-field
    @DRA/feature-gate/admin-access-off-removes-field
    Scenario Outline: With DRAAdminAccess off, adminAccess is dropped from one of two requests
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: <first>}
              - name: req-1
                exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: <second>}
        """
      Then the object is stored with
        | field                         | value |
        | spec.devices.requests[0].name | req-0 |
        | spec.devices.requests[1].name | req-1 |
      And the field "spec.devices.requests[<index>].exactly.adminAccess" is dropped

      Examples:
        | first | second | index |
        | true  | false  | 0     |
        | false | true   | 1     |

    @case:gate-off-template-drops-field
    @DRA/feature-gate/admin-access-off-removes-field @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAAdminAccess off, adminAccess is dropped from a ResourceClaimTemplate
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaimTemplate
        metadata: {name: large-black-cat-claim-template, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {deviceClassName: resource.example.com, allocationMode: All, adminAccess: true}
        """
      Then the object is stored with
        | field                                                 | value                |
        | spec.spec.devices.requests[0].exactly.deviceClassName | resource.example.com |
      And the field "spec.spec.devices.requests[0].exactly.adminAccess" is dropped

  Rule: Namespace label that a ResourceClaim generated from a ResourceClaimTemplate requires

    @case:generated-claim-in-unlabelled-namespace
    @DRA/admin-access/namespace-label-required @profile:kep @profile:since-1.34
    Scenario: No ResourceClaim is generated once the namespace of its template has no admin-access label
      Given a DeviceClass "any"
      And the device
        | device |
        | gpu-0  |
      And the objects
        """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: default
          labels: {resource.k8s.io/admin-access: "true", resource.kubernetes.io/admin-access: "true"}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: t, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1, adminAccess: true}
        """
      When a pod "first" that uses the ResourceClaimTemplate "t" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      When namespace "default" is updated with
        | field           | value |
        | metadata.labels | {}    |
      And a pod "second" that uses the ResourceClaimTemplate "t" is created
      And the cluster reaches a steady state
      Then pod "second" is Pending
      And ResourceClaim "t of pod second" does not exist
