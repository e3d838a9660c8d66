Feature: Who may ask for admin access
  Starting with Kubernetes 1.33 only who may create claims and templates in a labelled namespace can use adminAccess.
  The API server looks at the label, not at the user.

  Rule: Admin access needs the label of the namespace

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

    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: The template of the page is stored in a namespace with the label
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
      Then it is stored with
        | field                                             | value |
        | spec.spec.devices.requests[0].exactly.adminAccess | true  |
      But since Kubernetes 1.34, because since this release the label is resource.kubernetes.io/admin-access: it is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: A claim with admin access is stored in a namespace with the label
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
      Then it is stored as it was written
      But since Kubernetes 1.34, because since this release the label is resource.kubernetes.io/admin-access: it is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @DRA/admin-access/namespace-label-required @DRA/admin-access/only-authorized-users
    Scenario: A claim with admin access is rejected in another namespace, although an administrator creates it
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @DRA/admin-access/only-authorized-users @profile:kep @profile:in-1.33
    Scenario: Somebody without other permissions creates a claim with admin access in a namespace with the label
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
      Then it is stored as it was written

    @DRA/admin-access/only-authorized-users
    Scenario: Somebody in the group of administrators needs the label of the namespace, too
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @DRA/admin-access/namespace-label-required
    Scenario: The template of the page is rejected in a namespace without the label
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Forbidden at "spec.devices.requests[0].adminAccess"

    @DRA/admin-access/namespace-label-required
    Scenario: A claim of which only the second request has admin access is rejected in a namespace without the label
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Forbidden at "spec.devices.requests[1].adminAccess"

    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A claim without admin access needs no label
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
      Then it is stored as it was written

    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A claim that says it wants no admin access needs no label
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
      Then it is stored

    @DRA/admin-access/ordinary-requests-need-no-label
    Scenario: A template without admin access needs no label
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
      Then it is stored

  @profile:kep @profile:until-1.35
  Rule: Without the feature the field is taken away

    Background:
      Given the feature gate "DRAAdminAccess" is off
      And the object
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: default}
        """

    @DRA/feature-gate/admin-access-off-removes-field @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAAdminAccess off, a claim is stored without admin access and needs no label
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
      Then it is stored with
        | field                                            | value                |
        | spec.devices.requests[0].exactly.deviceClassName | resource.example.com |
        | spec.devices.requests[0].exactly.allocationMode  | All                  |
      And the field "spec.devices.requests[0].exactly.adminAccess" is dropped

    @DRA/feature-gate/admin-access-off-removes-field @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAAdminAccess off, the template of the page is stored without admin access
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
      Then it is stored with
        | field                                                 | value                |
        | spec.spec.devices.requests[0].exactly.deviceClassName | resource.example.com |
      And the field "spec.spec.devices.requests[0].exactly.adminAccess" is dropped
