Feature: Admission of adminAccess
  Starting with Kubernetes 1.33, adminAccess can be used only in a namespace with the admin-access label. The
  API server checks the label of the namespace, not the identity of the user.

  Rule: Admin-access label of the namespace

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

    @case:ordinary-user-in-labelled-namespace
    @DRA/admin-access/only-authorized-users @profile:kep @profile:in-1.33
    Scenario: A user without admin rights can use adminAccess in a labelled namespace
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
